import { ToolNames } from '@/components/nouns/skill-words'
import { listLabel } from '@/lib/protocol/list-words'

const shown = 3

/** The first of the tools a skill lists; a list may be long. */
export function ListedTools({ names }: { names: string[] | null }) {
  if (names === null) return <span className="text-muted">{listLabel('skillTools', names)}</span>
  return (
    <>
      <ToolNames names={names.slice(0, shown)} />
      {names.length > shown && ` and ${names.length - shown} more`}
    </>
  )
}
