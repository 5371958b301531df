'use client'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import type { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { type FieldShape, reasonField } from '@/lib/protocol/field-shape'

/** What a key can be limited to, and the action that does it. */
export type KeyLimiting = {
  toolGroups: readonly string[]
  configurations: readonly { id: string; name: string }[]
  limit: (input: {
    id: string
    tools: string[] | null
    toolGroups: string[] | null
    configurations: string[] | null
    reason: string
  }) => Promise<ActionResult<unknown>>
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
  const { tools, toolGroups, configurations } = apiKey.limits
  const form = useActionForm({
    values: {
      toolsAre: tools === null && toolGroups === null ? 'all' : 'some',
      toolGroups: toolGroups ?? [],
      tools: (tools ?? []).join(', '),
      configurationsAre: configurations === null ? 'all' : 'some',
      configurations: (configurations ?? []).map(({ id }) => id),
      reason: '',
    },
    send: (values) =>
      limiting.limit({
        id: apiKey.id,
        tools: values.toolsAre === 'all' ? null : namesIn(values.tools),
        toolGroups: values.toolsAre === 'all' ? null : values.toolGroups,
        configurations: values.configurationsAre === 'all' ? null : values.configurations,
        reason: values.reason,
      }),
    done: `Changed what ${apiKey.name} may use`,
    onDone: onClose,
  })
  const [someTools, someConfigurations] = form.watch(['toolsAre', 'configurationsAre'])
  return (
    <FormDialog
      form={form}
      title={`Limit ${apiKey.name}`}
      description="The next call of its runs is decided by this. Runs with a configuration that it may not use any more end."
      button="Save"
      failed="The limits were not saved"
      onClose={onClose}
    >
      <FormField name="toolsAre" shape={toolsAre} />
      {someTools === 'some' && (
        <>
          <FormField name="toolGroups" shape={groupsShape(limiting.toolGroups)} />
          <FormField name="tools" shape={names} />
        </>
      )}
      <FormField name="configurationsAre" shape={configurationsAre} />
      {someConfigurations === 'some' && (
        <FormField name="configurations" shape={configurationsShape(limiting.configurations)} />
      )}
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}

function groupsShape(groups: readonly string[]): FieldShape {
  return {
    kind: 'checkboxes',
    label: 'Tool groups',
    choices: groups.map((group) => ({ value: group, label: group })),
  }
}

function configurationsShape(found: KeyLimiting['configurations']): FieldShape {
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
