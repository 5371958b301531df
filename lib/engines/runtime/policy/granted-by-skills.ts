/** `heldBack`: attached and switched on, but its file changed or is gone; the list is the one that was accepted last. */
type Listing = { allowedTools: readonly string[] | null; heldBack?: boolean }
type List = readonly string[]

/**
 * The union of what skills list under `allowed-tools`; null when none of them lists anything, an empty set when all
 * that they list is `[]` (SPEC G-S). Names that no tool has stay in it and match nothing. Lists of skills that are held
 * back limit only where no other does, and to what all of them have: so a file that changes never adds a tool (ADR 010).
 */
export function grantedBySkills(skills: readonly Listing[]): ReadonlySet<string> | null {
  const listing = skills.flatMap(({ allowedTools, heldBack = false }) =>
    allowedTools === null ? [] : [{ list: allowedTools, heldBack }],
  )
  const lists = (wanted: boolean) =>
    listing.filter(({ heldBack }) => heldBack === wanted).map(({ list }) => list)
  return unionOf(lists(false)) ?? inAllOf(lists(true))
}

function unionOf(lists: readonly List[]): ReadonlySet<string> | null {
  return lists.length === 0 ? null : new Set(lists.flat())
}

function inAllOf([first, ...others]: readonly List[]): ReadonlySet<string> | null {
  return first ? new Set(first.filter((name) => others.every((list) => list.includes(name)))) : null
}
