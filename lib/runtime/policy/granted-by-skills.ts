/**
 * The union of what skills list under `allowed-tools`; null when none of them lists anything, an empty set when all
 * that they list is `[]` (SPEC G-S). Names that no tool has stay in it and match nothing.
 */
export function grantedBySkills(
  skills: Iterable<{ allowedTools: readonly string[] | null }>,
): ReadonlySet<string> | null {
  let granted: Set<string> | null = null
  for (const { allowedTools } of skills) {
    if (allowedTools === null) continue
    granted ??= new Set()
    for (const name of allowedTools) granted.add(name)
  }
  return granted
}
