import { Choice } from '@/components/forms/choice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { RuleChoices } from './read-choices'
import type { RuleDraft } from './rule-draft'
import { ToolChoice } from './tool-choice'

export type RuleFieldsProps = {
  draft: RuleDraft
  errors: Record<string, string>
  choices: RuleChoices
  onChange: (part: Partial<RuleDraft>) => void
}

// The select keeps "" for "nothing chosen".
const any = '*'

/** Name, and which tools and configurations a rule is about. */
export function ScopeFields({ draft, errors, choices, onChange }: RuleFieldsProps) {
  const groups = [...new Set(choices.tools.map((tool) => tool.group))]
  const tool = choices.tools.find(({ name }) => name === draft.toolName)
  const never = tool && draft.toolGroup !== null && tool.group !== draft.toolGroup
  return (
    <div className="flex flex-col gap-4">
      <Field
        id="rule-name"
        label="Name"
        hint="Whoever is asked reads it as the reason."
        error={errors.name}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field id="rule-tool" label="Tool" error={errors.toolName}>
          {(control) => (
            <ToolChoice
              {...control}
              tools={choices.tools}
              chosen={draft.toolName}
              onChoose={(toolName) => onChange({ toolName })}
            />
          )}
        </Field>
        <Field id="rule-group" label="Tool group" error={errors.toolGroup}>
          {(control) => (
            <Choice
              {...control}
              options={[any, ...withOwn(groups, draft.toolGroup)].map((value) => ({
                value,
                label: value === any ? 'Any group' : value,
              }))}
              value={draft.toolGroup ?? any}
              onValueChange={(value) => onChange({ toolGroup: value === any ? null : value })}
            />
          )}
        </Field>
      </div>
      {never && (
        <p role="status" className="text-sm text-warning">
          {tool.name} is in the group {tool.group}: this rule fits no call.
        </p>
      )}
      <Field id="rule-configuration" label="Configuration" error={errors.configurationId}>
        {(control) => (
          <Choice
            {...control}
            options={[
              { value: any, label: 'Any configuration' },
              ...choices.configurations.map(({ id, name, off }) => ({
                value: id,
                label: off ? `${name} (off)` : name,
              })),
            ]}
            value={draft.configurationId ?? any}
            onValueChange={(value) => onChange({ configurationId: value === any ? null : value })}
          />
        )}
      </Field>
    </div>
  )
}

/** A group that no tool is in any more stays what the rule says. */
function withOwn(groups: string[], own: string | null): string[] {
  return own === null || groups.includes(own) ? groups : [...groups, own]
}
