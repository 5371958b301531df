import type { ReactNode } from 'react'
import { VisibleText } from './visible-text'

/** A thing that goes otherwise: its place, and what each policy says of it. `notes` follow the place. */
type Entry = {
  key: string
  place: ReactNode
  notes?: ReactNode
  /** Each label with its words. */
  words: readonly (readonly [label: string, words: string])[]
}

/** Lists what goes otherwise with another policy: its words side by side where there is room, else below one another. */
export function Differences({ label, entries }: { label: string; entries: readonly Entry[] }) {
  return (
    <ul aria-label={label} className="divide-y rounded-md border bg-surface-1 text-sm">
      {entries.map(({ key, place, notes, words }) => (
        <li key={key} className="@container flex flex-col gap-1 px-3 py-2">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <div className="min-w-0 [overflow-wrap:anywhere]">{place}</div>
            {notes && <div className="text-muted">{notes}</div>}
          </div>
          <dl className="grid @2xl:auto-cols-fr @2xl:grid-flow-col grid-cols-[auto_minmax(0,1fr)] @2xl:grid-cols-none gap-x-3 [overflow-wrap:anywhere]">
            {words.map(([name, text]) => (
              <div
                key={name}
                className="col-span-2 @2xl:col-span-1 grid @2xl:block grid-cols-subgrid"
              >
                <dt className="text-muted">{name}</dt>
                <dd>
                  <VisibleText text={text} />
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
