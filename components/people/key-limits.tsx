'use client'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import type { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { type FieldShape, reasonField } from '@/lib/protocol/field-shape'
import type { KeyLimits, ShownLimits } from '@/lib/protocol/key-limits'

/** What keys can be limited to. */
export type LimitChoices = {
  toolGroups: readonly string[]
  configurations: readonly { id: string; name: string }[]
}

/** The same with the action that limits a key. */
export type KeyLimiting = LimitChoices & {
  limit: (input: KeyLimits & { id: string; reason: string }) => Promise<ActionResult<unknown>>
}

type Props = { apiKey: ApiKeyListing; limiting: KeyLimiting }

/** Shows the button that asks what the runs of a key may use. */
export function KeyLimitsButton({ apiKey, limiting }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Limit<span className="sr-only"> {apiKey.name}</span>
      </Button>
      {open && (
        <KeyLimitsDialog apiKey={apiKey} limiting={limiting} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

const toolsAre: FieldShape = {
  kind: 'select',
  label: 'Tools',
  choices: [
    { value: 'all', label: 'All that its owner may use' },
    { value: 'some', label: 'Only some' },
  ],
}
const configurationsAre: FieldShape = { ...toolsAre, label: 'Configurations' }
const names: FieldShape = {
  kind: 'text',
  label: 'Single tools',
  hint: 'Names of tools, separated by commas.',
  mono: true,
  optional: true,
}

function KeyLimitsDialog({ apiKey, limiting, onClose }: Props & { onClose: () => void }) {
  const form = useActionForm({
    values: { ...limitsDraft(apiKey.limits), reason: '' },
    send: ({ reason, ...draft }) =>
      limiting.limit({ id: apiKey.id, ...limitsOfDraft(draft), reason }),
    done: `Changed what ${apiKey.name} may use`,
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Limit ${apiKey.name}`}
      description="The next call of its runs is decided by this. Runs with a configuration that it may not use any more end. A limited key cannot change configurations, tasks, schedules or skills."
      button="Save"
      failed="The limits were not saved"
      onClose={onClose}
    >
      <KeyLimitFields choices={limiting} />
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}

type LimitsDraft = {
  toolsAre: string
  toolGroups: string[]
  tools: string
  configurationsAre: string
  configurations: string[]
}

/** Returns what the fields of limits begin with. */
export function limitsDraft({ tools, toolGroups, configurations }: ShownLimits): LimitsDraft {
  return {
    toolsAre: tools === null && toolGroups === null ? 'all' : 'some',
    toolGroups: toolGroups ?? [],
    tools: (tools ?? []).join(', '),
    configurationsAre: configurations === null ? 'all' : 'some',
    configurations: (configurations ?? []).map(({ id }) => id),
  }
}

/** Returns the limits that the fields say. */
export function limitsOfDraft(draft: LimitsDraft): KeyLimits {
  const { toolsAre, configurationsAre } = draft
  return {
    tools: toolsAre === 'all' ? null : namesIn(draft.tools),
    toolGroups: toolsAre === 'all' ? null : draft.toolGroups,
    configurations: configurationsAre === 'all' ? null : draft.configurations,
  }
}

/** Shows the fields of limits in a form that has the values of `limitsDraft`. */
export function KeyLimitFields({ choices }: { choices: LimitChoices }) {
  const [someTools, someConfigurations] = useWatch<LimitsDraft, ['toolsAre', 'configurationsAre']>({
    name: ['toolsAre', 'configurationsAre'],
  })
  return (
    <>
      <FormField name="toolsAre" shape={toolsAre} />
      {someTools === 'some' && (
        <>
          <FormField name="toolGroups" shape={groupsShape(choices.toolGroups)} />
          <FormField name="tools" shape={names} />
        </>
      )}
      <FormField name="configurationsAre" shape={configurationsAre} />
      {someConfigurations === 'some' && (
        <FormField name="configurations" shape={configurationsShape(choices.configurations)} />
      )}
    </>
  )
}

function groupsShape(groups: readonly string[]): FieldShape {
  return {
    kind: 'checkboxes',
    label: 'Tool groups',
    choices: groups.map((group) => ({ value: group, label: group })),
  }
}

function configurationsShape(found: LimitChoices['configurations']): FieldShape {
  return {
    kind: 'checkboxes',
    label: 'Allowed configurations',
    isColumn: true,
    choices: found.map(({ id, name }) => ({ value: id, label: name })),
  }
}

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
