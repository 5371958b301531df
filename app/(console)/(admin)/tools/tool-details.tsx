import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { CopyButton } from '@/components/ui/copy-button'
import { dataClassInSentence, effectWords } from '@/lib/protocol/trust-words'
import { formatDuration } from '@/lib/words/format'
import { type ParameterRow, readParameters } from './read-parameters'

/** Shows what models are told about a tool, and its limits. */
export function ToolDetails({ tool }: { tool: ToolListing }) {
  const rows = readParameters(tool.parameters)
  const json = JSON.stringify(tool.parameters, null, 2)
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="max-w-[72ch] text-normal">{tool.description}</p>
      <div>
        <h3 className="mb-1 text-sm">Parameters</h3>
        {rows.length === 0 ? (
          <p className="text-muted">None</p>
        ) : (
          <ul className="max-w-3xl divide-y rounded-md border">
            {rows.map((row) => (
              <Parameter key={row.name} row={row} />
            ))}
          </ul>
        )}
      </div>
      <p className="text-muted">
        {effectWords[tool.effect]}. Data: {dataClassInSentence(tool.dataClass)}. Time limit:{' '}
        {formatDuration(tool.timeoutMs)}. Default: {tool.enabledByDefault ? 'on' : 'off'}. For{' '}
        {tool.requiresAdmin ? 'admins' : 'everyone'}.
        {tool.limits &&
          tool.limits.length > 0 &&
          ` At most ${new Intl.ListFormat('en').format(tool.limits)}.`}
      </p>
      <details className="max-w-3xl">
        <summary className="w-fit cursor-pointer rounded-sm text-link">JSON Schema</summary>
        <div className="relative mt-2">
          <CopyButton
            text={json}
            what="JSON Schema"
            className="absolute top-1 right-1 bg-surface-2"
          />
          <pre className="whitespace-pre-wrap break-words rounded-md border bg-surface-2 p-3 pr-10 font-mono text-mono">
            {json}
          </pre>
        </div>
      </details>
    </div>
  )
}

function Parameter({ row }: { row: ParameterRow }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-1.5">
      <code className="font-mono text-mono text-strong">{row.name}</code>
      <code className="break-words font-mono text-mono text-muted">{row.type}</code>
      <span className="text-muted">{row.required ? 'required' : 'optional'}</span>
      {row.limits && <span className="text-muted">{row.limits}</span>}
      {row.description && <span className="basis-full text-normal">{row.description}</span>}
    </li>
  )
}
