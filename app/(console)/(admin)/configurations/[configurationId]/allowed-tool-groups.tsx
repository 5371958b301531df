'use client'
import { useId, useState } from 'react'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Section } from '@/components/ui/section'
import { Select } from '@/components/ui/select'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { countOf } from '@/lib/protocol/format'
import { changePolicy } from '../actions'
import { noToolGroup, toolGroupReaches, unknownToolGroup } from '../configuration-words'

const { allowedToolGroups } = configurationShape

type Props = {
  configurationId: string
  groups: { name: string; tools: number }[]
  /** null = every group. */
  allowed: string[] | null
}

/** Shows the tool groups that runs with the configuration may use. Give it a `key` of the stored groups. */
export function AllowedToolGroups({ configurationId, groups, allowed }: Props) {
  const [picked, setPicked] = useState(allowed)
  const { busy, act } = useAct()
  // A group that has no tools any more stays visible, so that it can be removed.
  const gone = (allowed ?? []).filter((name) => groups.every((group) => group.name !== name))
  const listed = [...groups, ...gone.map((name) => ({ name, tools: null }))]
  const changed = JSON.stringify(picked?.toSorted()) !== JSON.stringify(allowed?.toSorted())
  useUnsavedGuard(changed)
  const save = () =>
    act(() => changePolicy({ id: configurationId, allowedToolGroups: picked }), {
      failed: 'The tool groups were not saved',
      done: 'Saved the tool groups',
    })
  const pick = (name: string, on: boolean) =>
    setPicked((before) => [
      ...(before ?? []).filter((each) => each !== name),
      ...(on ? [name] : []),
    ])
  return (
    <Section title={allowedToolGroups.label}>
      <p className="max-w-[72ch] text-muted">
        Tools of other groups are not offered and cannot run, whoever starts the run. Removing a
        group also affects active runs; adding one does not.
      </p>
      <Select
        aria-label={allowedToolGroups.label}
        className="sm:w-72"
        options={toolGroupReaches}
        value={picked === null ? 'all' : 'some'}
        onValueChange={(value) =>
          setPicked(value === 'all' ? null : groups.map(({ name }) => name))
        }
      />
      {picked !== null && (
        <ul className="grid max-w-3xl gap-x-6 sm:grid-cols-2">
          {listed.map(({ name, tools }) => (
            <li key={name}>
              <Choice
                name={name}
                tools={tools}
                checked={picked.includes(name)}
                onChange={(on) => pick(name, on)}
              />
            </li>
          ))}
        </ul>
      )}
      {picked?.length === 0 && <p className="text-sm text-warning">{noToolGroup}</p>}
      {changed && (
        <div className="flex gap-2">
          <Button variant="primary" loading={busy} onClick={save}>
            Save tool groups
          </Button>
          <Button onClick={() => setPicked(allowed)}>Discard</Button>
        </div>
      )}
    </Section>
  )
}

function Choice({
  name,
  tools,
  checked,
  onChange,
}: {
  name: string
  /** null = the group does not exist. */
  tools: number | null
  checked: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
      <Checkbox id={id} checked={checked} onCheckedChange={onChange} />
      <label htmlFor={id}>
        <span className="text-strong">{name}</span>{' '}
        <span className={`text-sm ${tools === null ? 'text-warning' : 'text-muted'}`}>
          {tools === null ? unknownToolGroup : countOf(tools, 'tool')}
        </span>
      </label>
    </div>
  )
}
