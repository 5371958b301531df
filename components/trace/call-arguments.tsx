import { type SchemaField, schemaFields } from '@/components/schema-form/schema-fields'
import { LongText } from './long-text'
import { parseArguments } from './short-arguments'
import { VisibleText } from './visible-text'

/**
 * Shows each argument by its name, with what the schema of the tool says of it where that is given. Text that is not a JSON
 * object is shown as the model wrote it.
 */
export function CallArguments({
  argumentsText,
  parameters = null,
}: {
  argumentsText: string
  parameters?: Readonly<Record<string, unknown>> | null
}) {
  const parsed = parseArguments(argumentsText)
  if (!parsed) return <LongText text={argumentsText} label="Arguments" />
  const entries = Object.entries(parsed)
  if (entries.length === 0) return <p className="text-muted text-sm">None.</p>
  const fields = new Map(
    ((parameters && schemaFields(parameters)) ?? []).map((field) => [field.name, field]),
  )
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
            <Meaning field={fields.get(name)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Meaning({ field }: { field: SchemaField | undefined }) {
  const words = field && [field.title, field.description].filter(Boolean).join(': ')
  return words ? <p className="text-muted text-sm [overflow-wrap:anywhere]">{words}</p> : null
}

/** Shows the arguments that a person edited, each beside the model's value. */
export function ChangedArguments({ before, after }: { before: string; after: string }) {
  const [was, is] = [parseArguments(before), parseArguments(after)]
  if (!was || !is) return <Change label="arguments" was={before} is={after} />
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  if (names.length === 0) return <p className="text-muted text-sm">None.</p>
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-3 gap-y-1">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="font-mono text-mono text-muted [overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </dt>
          <dd className="min-w-0">
            <Change label={name} was={textOf(was, name)} is={textOf(is, name)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ label, was, is }: { label: string; was: string | null; is: string | null }) {
  if (was === is) return <LongText text={is ?? ''} label={label} />
  return (
    <div className="flex flex-col gap-1">
      {was !== null && (
        <del className="flex gap-2 rounded-sm bg-error-soft px-1.5 no-underline">
          <span className="w-14 shrink-0 text-error text-sm">was</span>
          <LongText text={was} label={`${label}, as the model wrote them`} />
        </del>
      )}
      {is === null ? (
        <p className="px-1.5 text-muted text-sm">removed</p>
      ) : (
        <ins className="flex gap-2 rounded-sm bg-ok-soft px-1.5 no-underline">
          <span className="w-14 shrink-0 text-ok text-sm">
            {was === null ? 'added' : 'run with'}
          </span>
          <LongText text={is} label={`${label}, as edited`} />
        </ins>
      )}
    </div>
  )
}

/** Returns the argument as text; null = there is no such argument. */
function textOf(args: Record<string, unknown>, name: string): string | null {
  if (!Object.hasOwn(args, name)) return null
  const value = args[name]
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
