import { ToolNames } from './grant-words'

type Tools = readonly string[] | null

/** Says in words when a change touches what a skill lists; nothing when it does not. */
export function GrantChange({ before, after }: { before: Tools; after: Tools }) {
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return <p>The tools it lists stay as they are.</p>
  }
  return (
    <p>
      The tools it lists change from <ToolNames names={before} /> to <ToolNames names={after} />.
      {after === null &&
        ' It then limits nothing: where no other skill lists tools, runs are offered whatever the other gates allow.'}
    </p>
  )
}
