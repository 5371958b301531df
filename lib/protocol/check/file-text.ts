/** The largest file of checks: a request of the API, and a form, take no more. */
export const mostFileBytes = 1_000_000

/** Returns the text of a file of checks, in lines that a repository can compare. */
export function checkFileText(file: object): string {
  return `${JSON.stringify(file, null, 2)}\n`
}
