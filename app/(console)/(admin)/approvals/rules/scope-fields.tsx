'use client'
import { CustomField, FormField } from '@/components/forms/form-field'
import { Input } from '@/components/ui/input'
import { approvalRules, type Missing, missingWords } from '@/lib/domains/approvals/shape'
import type { RuleChoices } from './read-choices'
import type { RuleDraft } from './rule-draft'
import { ToolChoice } from './tool-choice'

export type RuleFieldsProps = { draft: RuleDraft; choices: RuleChoices }

const { name, action, toolName, toolGroup, configurationId, notYet } = approvalRules.fields

/** Shows the fields for a rule's name, and for the tools and configurations that it applies to. */
export function ScopeFields({ draft, choices }: RuleFieldsProps) {
  const groups = [...new Set(choices.tools.map((tool) => tool.group))]
  const tool = choices.tools.find(({ name }) => name === draft.toolName)
  const missing: Missing[] = [
    ...(draft.toolName && !tool ? (['tool'] as const) : []),
    ...(draft.toolGroup && !groups.includes(draft.toolGroup) ? (['group'] as const) : []),
  ]
  const never = tool && draft.toolGroup !== null && tool.group !== draft.toolGroup
  return (
    <div className="flex flex-col gap-4">
      <FormField name="name" shape={name} />
      <FormField name="action" shape={action} />
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
        {draft.notYet ? (
          <TypedName name="toolGroup" label={toolGroup.label} />
        ) : (
          <FormField
            name="toolGroup"
            shape={{
              kind: 'select',
              label: toolGroup.label,
              choices: [
                { value: null, label: 'Any group' },
                ...withOwn(groups, draft.toolGroup).map((value) => ({ value, label: value })),
              ],
            }}
          />
        )}
      </div>
      <FormField name="notYet" shape={notYet} />
      {missing.map((what) => (
        <p key={what} role="status" className="text-sm text-warning">
          {missingWords[what]}: until it exists, this rule matches no call.
        </p>
      ))}
      {never && (
        <p role="status" className="text-sm text-warning">
          {tool.name} is in the group {tool.group}: this rule matches no call.
        </p>
      )}
      <FormField
        name="configurationId"
        shape={{
          kind: 'select',
          label: configurationId.label,
          choices: [
            { value: null, label: 'Any configuration' },
            ...choices.configurations.map(({ id, name, off }) => ({
              value: id,
              label: off ? `${name} (off)` : name,
            })),
          ],
        }}
      />
    </div>
  )
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

/** Returns the groups to choose from, with the rule's own group even if it has no tools now. */
function withOwn(groups: string[], own: string | null): string[] {
  return own === null || groups.includes(own) ? groups : [...groups, own]
}
