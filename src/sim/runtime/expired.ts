import { ApiError, isGone, isResourceExpired } from './api-errors.js';

/** 410, reason Expired or Gone: the server no longer has that version. */
export function isExpired(error: Error): boolean {
  return isResourceExpired(error) || isGone(error);
}

/** The server does not have that version yet; a 504 for any other reason does not count (A7). */
export function isTooLargeResourceVersion(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}
