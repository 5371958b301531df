'use client'
import Link from 'next/link'
import { FormField, useFieldState } from '@/components/forms/form-field'
import { Badge } from '@/components/ui/badge'
import { Section } from '@/components/ui/section'
import { type DataChoice, staysHere } from '@/lib/domains/connections/shared/connect'
import type { DataClass } from '@/lib/protocol/tool'
import { dataClassMeaning, zoneWords } from '@/lib/protocol/trust-words'

const confirmation = {
  kind: 'checkbox',
  label: 'Nothing sent there leaves our own network.',
  hint: 'Untrue if the server forwards prompts to the internet.',
} as const

const reason = {
  kind: 'text',
  label: 'Reason',
  hint: 'Why more data may be sent.',
} as const

/** Asks which data the provider may be sent, each answer with the number of tools it allows. */
export function DataQuestion({
  data,
  suggested,
}: {
  data: readonly DataChoice[]
  suggested: DataClass
}) {
  const { id, value, onChange } = useFieldState<string>('dataClass')
  const chosen = data.find(({ dataClass }) => dataClass === value)
  return (
    <Section title="Data it may receive">
      <div
        role="radiogroup"
        aria-label="Data it may receive"
        className="flex flex-col divide-y rounded-md border bg-surface-1"
      >
        {data.map(({ dataClass, tools, of }) => (
          <label
            key={dataClass}
            className="flex cursor-pointer items-start gap-3 px-3 py-2 hover:bg-surface-2 has-checked:bg-surface-2"
          >
            <input
              type="radio"
              name={id}
              className="mt-1 size-4 shrink-0 accent-accent"
              checked={dataClass === value}
              onChange={() => onChange(dataClass)}
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <span className="text-strong">{dataClassMeaning[dataClass]}</span>
              {dataClass === suggested && <Badge>Suggested</Badge>}
              <span className="numeric ml-auto text-muted text-sm">
                {tools} of {of} tools
              </span>
            </span>
          </label>
        ))}
      </div>
      {chosen && <Consequence {...chosen} />}
    </Section>
  )
}

function Consequence({ tools, trustZone, isRaised }: DataChoice) {
  return (
    <>
      <p>
        Trust zone: {zoneWords[trustZone]}
        {isRaised && ', with a raised data class'}.
      </p>
      {tools === 0 && (
        <p className="text-warning">
          No tool fits. Pick more data, or{' '}
          <Link href="/tools" target="_blank" className="text-link underline">
            switch tools on
          </Link>
          .
        </p>
      )}
      {staysHere({ trustZone }) && <FormField name="staysHere" shape={confirmation} />}
      {isRaised && <FormField name="reason" shape={reason} />}
    </>
  )
}
