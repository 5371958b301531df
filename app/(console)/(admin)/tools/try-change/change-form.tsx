'use client'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Choice } from '@/components/forms/choice'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { PastRunsTrial, trialPeriods } from '@/components/trace/past-runs-trial'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'

type Named = { id: string; name: string }

const example = `toolgate: 2
tools:
  - { name: list_users, enabled: false }`
const any = 'any'

/** Tries a change that is a part of a site file. */
export function ChangeForm({
  configurations,
  groups,
}: {
  configurations: readonly Named[]
  groups: readonly Named[]
}) {
  const router = useRouter()
  const [file, setFile] = useState('')
  const [tested, setTested] = useState('')
  const [days, setDays] = useState('30')
  const [configuration, setConfiguration] = useState(any)
  const [group, setGroup] = useState(any)
  const [error, setError] = useState<string>()
  const text = useRef<HTMLTextAreaElement>(null)
  useUnsavedGuard(file !== tested)
  const idOf = (value: string) => (value === any ? null : value)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex max-w-160 flex-col gap-3">
        <Field id="change" label="Change" hint="A part of a site file." error={error}>
          {(control) => (
            <Textarea
              {...control}
              ref={text}
              className="max-h-[60vh] min-h-28 font-mono text-mono"
              spellCheck={false}
              placeholder={example}
              value={file}
              onChange={(event) => {
                setFile(event.target.value)
                setError(undefined)
              }}
            />
          )}
        </Field>
        <div className="grid gap-3 sm:grid-cols-3">
          <Field id="period" label="Period">
            {(control) => (
              <Select {...control} options={trialPeriods} value={days} onValueChange={setDays} />
            )}
          </Field>
          <Field id="configuration" label="Configuration">
            {(control) => (
              <Choice
                {...control}
                options={choices(configurations, 'Any configuration')}
                value={configuration}
                onValueChange={setConfiguration}
                searchLabel="Search configurations"
              />
            )}
          </Field>
          <Field id="group" label="Group of people">
            {(control) => (
              <Choice
                {...control}
                options={choices(groups, 'Everybody')}
                value={group}
                onValueChange={setGroup}
                searchLabel="Search groups"
              />
            )}
          </Field>
        </div>
      </div>
      <PastRunsTrial
        tried={{
          of: 'file',
          file,
          days: Number(days),
          configuration: idOf(configuration),
          group: idOf(group),
        }}
        onRefused={({ fields, message }) => {
          // Rendered at once, so that the field is marked before it gets the focus.
          flushSync(() => setError(fields ? Object.values(fields).join(' ') : message))
          text.current?.focus()
        }}
        onDone={() => {
          setTested(file)
          router.refresh()
        }}
      />
    </div>
  )
}

function choices(named: readonly Named[], all: string) {
  return [{ value: any, label: all }, ...named.map(({ id, name }) => ({ value: id, label: name }))]
}
