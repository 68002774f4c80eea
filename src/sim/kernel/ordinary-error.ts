/**
 * An error that is an ordinary answer, such as "not found". It is thrown often and nobody looks at its stack, which would cost
 * more than all the rest of a request; so none is taken.
 */
export class OrdinaryError extends Error {
  constructor(message: string) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
  }
}
