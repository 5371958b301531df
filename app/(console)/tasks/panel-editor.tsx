'use client'
import { useFormAround } from '@/components/forms/form'
import { CustomField } from '@/components/forms/form-field'
import { lazyPart, useWhenIdle } from '@/components/ui/lazy-part'
import { Select } from '@/components/ui/select'
import { membersFor, type PanelKind } from './panel-draft'
import type { PanelProps } from './panel-members'

/** Most tasks run as one run. */
const PanelMembers = lazyPart(async () => (await import('./panel-members')).PanelMembers)

const kinds = [
  { value: 'run', label: 'One run', hint: 'One configuration answers' },
  { value: 'confer', label: 'Comparison', hint: 'Several configurations answer, side by side' },
  {
    value: 'coordinate',
    label: 'Coordination',
    hint: 'One proposes, others criticise, the last writes the answer',
  },
] as const satisfies readonly { value: PanelKind; label: string; hint: string }[]

/** Shows the fields for how a task runs: as one run, or as a panel with its members and their tools. */
export function PanelEditor({ panel, choices }: PanelProps) {
  const { change } = useFormAround()
  useWhenIdle(PanelMembers.prepare)
  const { kind, members } = panel
  return (
    <div className="flex flex-col gap-3">
      <CustomField<PanelKind> name="panel.kind" label="Kind">
        {(control) => (
          <Select
            {...control}
            options={kinds}
            value={kind}
            onValueChange={(picked) => {
              const next = kinds.find(({ value }) => value === picked)?.value ?? 'run'
              change({ 'panel.kind': next, 'panel.members': membersFor(next, members) })
            }}
          />
        )}
      </CustomField>
      {kind !== 'run' && <PanelMembers panel={panel} choices={choices} />}
    </div>
  )
}
