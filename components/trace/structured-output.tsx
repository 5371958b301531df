import { CopyButton } from '@/components/ui/copy-button'
import type { RunState } from '@/lib/protocol/fold-run'
import { structuredAnswer } from '@/lib/protocol/json-text'
import { JsonTree } from './json-tree'
import { VisibleText } from './visible-text'

/**
 * Returns the answer as a JSON value, with the keys in the order of the text where that is known; undefined = there is
 * no such value.
 */
function answeredValue({ end, rounds }: RunState): unknown {
  if (end?.structured === undefined) return undefined
  return structuredAnswer(rounds.at(-1)?.text ?? '') ?? end.structured
}

/** Shows the answer of a run that must fit a schema: its value as a tree, or what is wrong with it. */
export function StructuredOutput({ state }: { state: RunState }) {
  const errors = state.rounds.at(-1)?.outputErrors ?? []
  const value = answeredValue(state)
  if (value === undefined && errors.length === 0) return null
  if (value === undefined) {
    return (
      <section aria-label="What is wrong with the answer" className="rounded-md border px-3 py-2">
        <p className="text-strong">The answer does not fit its schema</p>
        <ul className="list-disc pl-5 text-sm">
          {errors.map((error) => (
            <li key={error}>
              <VisibleText text={error} />
            </li>
          ))}
        </ul>
      </section>
    )
  }
  const json = JSON.stringify(value, null, 2)
  return (
    <section aria-label="Structured output" className="rounded-md border bg-surface-1 px-3 py-2">
      <div className="flex items-center justify-between gap-2">
        <p className="text-strong">Structured output</p>
        <CopyButton text={json} what="structured output" />
      </div>
      <div className="font-mono text-mono">
        <JsonTree value={value} />
      </div>
    </section>
  )
}
