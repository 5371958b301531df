import { ToolNames } from '@/components/nouns/skill-words'

type Tools = readonly string[] | null

/** Says how a change alters the allowed tools of a skill. */
export function GrantChange({ before, after }: { before: Tools; after: Tools }) {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return <p>Its allowed tools stay the same.</p>
  }
  return (
    <p>
      Its allowed tools change from <ToolNames names={before} /> to <ToolNames names={after} />.
      {after === null && ' It then sets no limit on tools.'}
    </p>
  )
}
