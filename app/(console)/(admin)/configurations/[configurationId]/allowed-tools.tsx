'use client'
import { useState } from 'react'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { Select } from '@/components/ui/select'
import { configurationShape } from '@/lib/domains/configurations/shape'
import { type AllowedNames, withoutNeedlessNames } from '@/lib/protocol/tool-access'
import { changePolicy } from '../actions'
import { toolGroupReaches } from '../configuration-words'
import { PickedTools, type ToolChoices } from '../picked-tools'

type Props = {
  configurationId: string
  choices: ToolChoices
  /** The stored selection. */
  allowed: AllowedNames
}

/** Shows the tools that runs with the configuration may use. Give it a `key` of what is stored. */
export function AllowedTools({ configurationId, choices, allowed }: Props) {
  const [picked, setPicked] = useState(allowed)
  const { busy, act } = useAct()
  const names = withoutNeedlessNames(picked)
  const changed = textOf(names) !== textOf(allowed)
  useUnsavedGuard(changed)
  const save = () =>
    act(() => changePolicy({ id: configurationId, ...names }), {
      done: 'Allowed tools saved',
    })
  return (
    <Section id="tool-groups" title="Allowed tools">
      <p className="max-w-[72ch] text-muted">Removing a tool also affects active runs.</p>
      <Select
        aria-label={configurationShape.allowedToolGroups.label}
        className="sm:w-72"
        options={toolGroupReaches}
        value={picked.allowedToolGroups === null ? 'all' : 'some'}
        onValueChange={(value) =>
          setPicked({ ...picked, allowedToolGroups: value === 'all' ? null : namesOf(choices) })
        }
      />
      <PickedTools choices={choices} names={picked} onChange={setPicked} />
      {changed && (
        <div className="flex gap-2">
          <Button variant="primary" loading={busy} onClick={save}>
            Save
          </Button>
          <Button onClick={() => setPicked(allowed)}>Discard</Button>
        </div>
      )}
    </Section>
  )
}

function namesOf({ toolGroups }: ToolChoices): string[] {
  return toolGroups.map(({ name }) => name)
}

/** Returns names as one text, whatever their order. */
function textOf({ allowedToolGroups, allowedTools }: AllowedNames): string {
  return JSON.stringify([allowedToolGroups?.toSorted() ?? null, allowedTools.toSorted()])
}
