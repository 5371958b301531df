'use client'
import { useState } from 'react'
import { ChangeTrial } from '@/app/(console)/(admin)/change-trial'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { ToolLimitFields, toolsDraft, toolsOfDraft } from '@/components/people/key-limits'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import type { GroupDetail } from '@/lib/domains/groups/shape'
import { limitWords } from '@/lib/protocol/key-limits'
import { reasonField } from '@/lib/shape/reason-words'
import { limitTools } from '../actions'

type Props = { group: GroupDetail; toolGroups: readonly string[] }

/** Shows which tools the members of a group may use, and the button that limits them. */
export function GroupLimits({ group, toolGroups }: Props) {
  const [open, setOpen] = useState(false)
  const words = limitWords({ ...group.limits, configurations: null })
  return (
    <Section
      title="Tools"
      action={
        <Button size="sm" onClick={() => setOpen(true)}>
          Limit tools
        </Button>
      }
    >
      <p className="text-muted [overflow-wrap:anywhere]">
        {words === null
          ? 'No limits.'
          : `Members may use ${words}, and what their other groups allow.`}
      </p>
      {open && (
        <LimitsDialog group={group} toolGroups={toolGroups} onClose={() => setOpen(false)} />
      )}
    </Section>
  )
}

function LimitsDialog({ group, toolGroups, onClose }: Props & { onClose: () => void }) {
  const form = useActionForm({
    values: { ...toolsDraft(group.limits), reason: '' },
    send: ({ reason, ...draft }) => limitTools({ id: group.id, ...toolsOfDraft(draft), reason }),
    done: `Changed what ${group.name} may use`,
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Limit ${group.name}`}
      description="Applies from the next call, also in active runs."
      button="Save"
      onClose={onClose}
    >
      <ToolLimitFields toolGroups={toolGroups} all="All" />
      <FormField name="reason" shape={reasonField} />
      <ChangeTrial draft={{ groups: [{ id: group.id, limits: draftedLimits(form.watch()) }] }} />
    </FormDialog>
  )
}

/** Returns limits as a draft of the policy has them: null = none. */
function draftedLimits(draft: Parameters<typeof toolsOfDraft>[0]) {
  const limits = toolsOfDraft(draft)
  return limits.tools === null && limits.toolGroups === null ? null : limits
}
