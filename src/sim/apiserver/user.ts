/** Who sends a request, as admission sees it. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Whoever does not say who it is may do everything. */
export const administrator: UserInfo = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };
