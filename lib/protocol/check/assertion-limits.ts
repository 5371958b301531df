/** Limits of assertions, for forms that load without the schemas. */
export const mostAssertions = 50
export const longestPattern = 500
export const longestText = 20_000
export const longestToolName = 200
