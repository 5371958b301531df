/** Limits of assertions, for forms that load without the schemas. */
export const mostAssertions = 50
export const longestPattern = 500
export const longestText = 20_000
export const longestToolName = 200
export const mostJudges = 5
export const longestRubric = 4_000
/** Maximum characters of a prompt and its answer together that a judge reads. They are not cut: a part says little about the whole. */
export const mostJudgedCharacters = 100_000
