import { visibleText } from '@/lib/protocol/visible-text'

const shown = 3

/** What follows when the last limit goes, for the moment before it does. `configurations` are their names, and those of tasks. */
export function LimitGone({ configurations }: { configurations: readonly string[] }) {
  const named = configurations.slice(0, shown).map(visibleText).join(', ')
  const more = configurations.length - shown
  return (
    <>
      No other skill of {more > 0 ? `${named} and ${more} more` : named} counts and lists tools, so
      this takes the limit away: new runs are offered whatever the other gates allow. Runs that are
      going keep it. To stop a tool, switch the tool off.
    </>
  )
}
