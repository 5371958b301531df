import { Choice } from '@/components/forms/choice'
import { Checkbox } from '@/components/ui/checkbox'
import { Field, type FieldControl } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { Missing } from '@/lib/toolset/known-names'
import type { RuleChoices } from './read-choices'
import type { RuleDraft } from './rule-draft'
import { missingWords } from './rule-words'
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
  const missing: Missing[] = [
    ...(draft.toolName && !tool ? (['tool'] as const) : []),
    ...(draft.toolGroup && !groups.includes(draft.toolGroup) ? (['group'] as const) : []),
  ]
  const never = tool && draft.toolGroup !== null && tool.group !== draft.toolGroup
  return (
    <div className="flex flex-col gap-4">
      <Field
        id="rule-name"
        label="Name"
        hint="Shown as the reason to the person who decides."
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
          {(control) =>
            draft.notYet ? (
              <Typed
                {...control}
                text={draft.toolName}
                onType={(toolName) => onChange({ toolName })}
              />
            ) : (
              <ToolChoice
                {...control}
                tools={choices.tools}
                chosen={draft.toolName}
                onChoose={(toolName) => onChange({ toolName })}
              />
            )
          }
        </Field>
        <Field id="rule-group" label="Tool group" error={errors.toolGroup}>
          {(control) =>
            draft.notYet ? (
              <Typed
                {...control}
                text={draft.toolGroup}
                onType={(toolGroup) => onChange({ toolGroup })}
              />
            ) : (
              <Choice
                {...control}
                options={[any, ...withOwn(groups, draft.toolGroup)].map((value) => ({
                  value,
                  label: value === any ? 'Any group' : value,
                }))}
                value={draft.toolGroup ?? any}
                onValueChange={(value) => onChange({ toolGroup: value === any ? null : value })}
              />
            )
          }
        </Field>
      </div>
      <label className="flex w-fit items-center gap-2" htmlFor="rule-not-yet">
        <Checkbox
          id="rule-not-yet"
          checked={draft.notYet}
          onCheckedChange={(notYet) => onChange({ notYet })}
        />
        The tool or group does not exist yet
      </label>
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

/** A name to type; empty = any. */
function Typed({
  text,
  onType,
  ...control
}: FieldControl & { text: string | null; onType: (text: string | null) => void }) {
  return (
    <Input
      {...control}
      className="font-mono"
      maxLength={200}
      placeholder="any"
      value={text ?? ''}
      onChange={(event) => onType(event.target.value || null)}
    />
  )
}

/** Keeps the rule's group as a choice when it has no tools any more. */
function withOwn(groups: string[], own: string | null): string[] {
  return own === null || groups.includes(own) ? groups : [...groups, own]
}
