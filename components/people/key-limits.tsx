'use client'
import type { ApiKeyListing } from '@toolgate/server/domains/api-keys/schemas'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import type { ActionResult } from '@/lib/next/action'
import type { KeyLimits, ShownLimits, ToolLimits } from '@/lib/protocol/key-limits'
import type { FieldShape } from '@/lib/shape/field-shape'
import { reasonField } from '@/lib/shape/reason-words'

/** Tools, groups and configurations to which keys can be limited. */
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

function allOrSome(label: string, all: string): FieldShape {
  return {
    kind: 'select',
    label,
    choices: [
      { value: 'all', label: all },
      { value: 'some', label: 'Only some' },
    ],
  }
}

const allOfOwner = 'All that its owner may use'
const configurationsAre = allOrSome('Configurations', allOfOwner)
const names: FieldShape = {
  kind: 'text',
  label: 'Single tools',
  hint: 'Separated by commas.',
  mono: true,
  optional: true,
}

function KeyLimitsDialog({ apiKey, limiting, onClose }: Props & { onClose: () => void }) {
  const form = useActionForm({
    values: { ...limitsDraft(apiKey.limits), reason: '' },
    send: ({ reason, ...draft }) =>
      limiting.limit({ id: apiKey.id, ...limitsOfDraft(draft), reason }),
    done: 'Limits saved',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Limit ${apiKey.name}`}
      description="Applies from the next call. Active runs with a configuration it loses end. A limited key can only read, start runs, decide approvals and change memory."
      button="Save"
      onClose={onClose}
    >
      <KeyLimitFields choices={limiting} />
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}

type ToolsDraft = { toolsAre: string; toolGroups: string[]; tools: string }
type LimitsDraft = ToolsDraft & { configurationsAre: string; configurations: string[] }

/** Returns what the fields of limits to tools begin with. */
export function toolsDraft({ tools, toolGroups }: ToolLimits): ToolsDraft {
  return {
    toolsAre: tools === null && toolGroups === null ? 'all' : 'some',
    toolGroups: toolGroups ?? [],
    tools: (tools ?? []).join(', '),
  }
}

/** Returns the limits to tools that the fields say. */
export function toolsOfDraft({ toolsAre, toolGroups, tools }: ToolsDraft): ToolLimits {
  if (toolsAre === 'all') return { tools: null, toolGroups: null }
  return { tools: namesIn(tools), toolGroups }
}

/** Returns what the fields of all limits begin with. */
export function limitsDraft({ configurations, ...tools }: ShownLimits): LimitsDraft {
  return {
    ...toolsDraft(tools),
    configurationsAre: configurations === null ? 'all' : 'some',
    configurations: (configurations ?? []).map(({ id }) => id),
  }
}

/** Returns all limits that the fields say. */
export function limitsOfDraft({ configurationsAre, configurations, ...tools }: LimitsDraft) {
  return {
    ...toolsOfDraft(tools),
    configurations: configurationsAre === 'all' ? null : configurations,
  }
}

/** Shows the fields of limits to tools in a form that has the values of `toolsDraft`. */
export function ToolLimitFields({
  toolGroups,
  all,
}: {
  toolGroups: readonly string[]
  all: string
}) {
  const toolsAre = useWatch<ToolsDraft, 'toolsAre'>({ name: 'toolsAre' })
  return (
    <>
      <FormField name="toolsAre" shape={allOrSome('Tools', all)} />
      {toolsAre === 'some' && (
        <>
          <FormField name="toolGroups" shape={groupsShape(toolGroups)} />
          <FormField name="tools" shape={names} />
        </>
      )}
    </>
  )
}

/** Shows the fields of all limits in a form that has the values of `limitsDraft`. */
export function KeyLimitFields({ choices }: { choices: LimitChoices }) {
  const configurations = useWatch<LimitsDraft, 'configurationsAre'>({ name: 'configurationsAre' })
  return (
    <>
      <ToolLimitFields toolGroups={choices.toolGroups} all={allOfOwner} />
      <FormField name="configurationsAre" shape={configurationsAre} />
      {configurations === 'some' && (
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
