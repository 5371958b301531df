import { LongText } from './long-text'
import { parseArguments } from './short-arguments'
import { VisibleText } from './visible-text'

/** Shows each argument by its name. Text that is not a JSON object is shown as the model wrote it. */
export function CallArguments({ argumentsText }: { argumentsText: string }) {
  const parsed = parseArguments(argumentsText)
  if (!parsed) return <LongText text={argumentsText} label="Arguments" />
  const entries = Object.entries(parsed)
  if (entries.length === 0) return <p className="text-muted text-sm">None.</p>
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-3 gap-y-1">
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </dt>
          <dd className="min-w-0">
            <LongText
              text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
              label={name}
            />
          </dd>
        </div>
      ))}
    </dl>
  )
}
