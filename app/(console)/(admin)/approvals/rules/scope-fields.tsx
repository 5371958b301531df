'use client'
import { CustomField, FormField } from '@/components/forms/form-field'
import { Input } from '@/components/ui/input'
import { approvalRules, type Missing, missingWords } from '@/lib/domains/approvals/shape'
import { asksPeople } from '@/lib/protocol/approval'
import { visibleText } from '@/lib/words/clean-text'
import type { RuleChoices } from './read-choices'
import type { RuleDraft } from './rule-draft'
import { ToolChoice } from './tool-choice'

export type RuleFieldsProps = { draft: RuleDraft; choices: RuleChoices }

const { name, action, fourEyes, toolName, toolGroup, serverName, notYet } = approvalRules.fields

/** Shows the fields for a rule's name, what it does, and the tools that it applies to. */
export function ScopeFields({ draft, choices }: RuleFieldsProps) {
  const groups = [...new Set(choices.tools.map((tool) => tool.group))]
  const tool = choices.tools.find(({ name }) => name === draft.toolName)
  const missing: Missing[] = [
    ...(draft.toolName && !tool ? (['tool'] as const) : []),
    ...(draft.toolGroup && !groups.includes(draft.toolGroup) ? (['group'] as const) : []),
    ...(draft.serverName && !choices.servers.includes(draft.serverName)
      ? (['server'] as const)
      : []),
  ]
  const never = tool && draft.toolGroup !== null && tool.group !== draft.toolGroup
  return (
    <div className="flex flex-col gap-4">
      <FormField name="name" shape={name} />
      <FormField name="action" shape={action} />
      {asksPeople(draft.action) && <FormField name="fourEyes" shape={fourEyes} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {draft.notYet ? (
          <TypedName name="toolName" label={toolName.label} />
        ) : (
          <CustomField<string | null> name="toolName" label={toolName.label}>
            {(control, { value, onChange }) => (
              <ToolChoice {...control} tools={choices.tools} chosen={value} onChoose={onChange} />
            )}
          </CustomField>
        )}
        <NamedChoice
          name="toolGroup"
          label={toolGroup.label}
          any="Any group"
          typed={draft.notYet}
          names={groups}
          own={draft.toolGroup}
        />
        <NamedChoice
          name="serverName"
          label={serverName.label}
          any="Any server or none"
          typed={draft.notYet}
          names={choices.servers}
          own={draft.serverName}
        />
      </div>
      <FormField name="notYet" shape={notYet} />
      {missing.map((what) => (
        <p key={what} role="status" className="text-sm text-warning">
          {missingWords[what]}: matches no call until it exists.
        </p>
      ))}
      {never && (
        <p role="status" className="text-sm text-warning">
          {tool.name} is in the group {tool.group}: this rule matches no call.
        </p>
      )}
    </div>
  )
}

type NamedChoiceProps = {
  name: string
  label: string
  /** The label for no choice. */
  any: string
  /** True = the name is typed, because nothing has it yet. */
  typed: boolean
  names: string[]
  /** The rule's own, which is a choice even if nothing has this name now. */
  own: string | null
}

/** Shows a choice of one name, or of any. */
function NamedChoice({ name, label, any, typed, names, own }: NamedChoiceProps) {
  if (typed) return <TypedName name={name} label={label} />
  const all = own === null || names.includes(own) ? names : [...names, own]
  const choices = [
    { value: null, label: any },
    ...all.map((value) => ({ value, label: visibleText(value) })),
  ]
  return <FormField name={name} shape={{ kind: 'select', label, choices }} />
}

/** Shows a field for a name; empty = any. */
function TypedName(field: { name: string; label: string }) {
  return (
    <CustomField<string | null> {...field}>
      {(control, { value, onChange }) => (
        <Input
          {...control}
          className="font-mono"
          maxLength={200}
          placeholder="any"
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value || null)}
        />
      )}
    </CustomField>
  )
}
