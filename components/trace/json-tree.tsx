import { countOf } from '@/lib/protocol/format'
import { VisibleText } from './visible-text'

const mostEntries = 200
const openLevels = 2

/**
 * Shows a JSON value as a tree that opens and closes, also with the keyboard. Everything in it comes from a model and
 * is shown as text. Of a long list only the beginning is shown.
 */
export function JsonTree({
  value,
  name,
  level = 0,
}: {
  value: unknown
  name?: string
  level?: number
}) {
  if (typeof value !== 'object' || value === null) {
    return (
      <p className="[overflow-wrap:anywhere]">
        <Name name={name} />
        <Leaf value={value} />
      </p>
    )
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  return (
    <details open={level < openLevels}>
      <summary className="cursor-pointer">
        <Name name={name} />
        <span className="text-muted">
          {isList
            ? `list, ${countOf(entries.length, 'item')}`
            : `object, ${countOf(entries.length, 'field')}`}
        </span>
      </summary>
      <div className="flex flex-col border-l pl-3">
        {entries.slice(0, mostEntries).map(([key, each]) => (
          <JsonTree key={key} name={key} value={each} level={level + 1} />
        ))}
        {entries.length > mostEntries && (
          <p className="text-muted">{entries.length - mostEntries} more are not shown here.</p>
        )}
      </div>
    </details>
  )
}

function Name({ name }: { name: string | undefined }) {
  if (name === undefined) return null
  return (
    <span className="text-strong">
      <VisibleText text={name} />:{' '}
    </span>
  )
}

function Leaf({ value }: { value: unknown }) {
  const text = typeof value === 'string' ? value : String(value)
  return typeof value === 'string' ? (
    <span className="whitespace-pre-wrap">
      <VisibleText text={text} />
    </span>
  ) : (
    <span className="text-accent">{text}</span>
  )
}
