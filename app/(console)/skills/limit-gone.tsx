import { visibleText } from '@/lib/protocol/visible-text'

const shown = 3

/** What follows when the last limit goes, for the moment before it does. `configurations` are their names, and those of tasks. */
export function LimitGone({ configurations }: { configurations: readonly string[] }) {
  const named = configurations.slice(0, shown).map(visibleText).join(', ')
  const more = configurations.length - shown
  return (
    <>
      In {more > 0 ? `${named} and ${more} more` : named}, no other active skill lists allowed
      tools, so this removes the limit: for new runs, only the other gates decide. Active runs keep
      the limit. To stop a tool, switch the tool off.
    </>
  )
}
