/**
 * The digest by which a page in the browser knows that the database took too long: it gets nothing else of an error. It
 * stands alone, because every page loads what stands beside it.
 */
export const statementLimitDigest = 'took-too-long'
