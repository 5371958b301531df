'use client'
import { useState } from 'react'
import { CustomField, FormField } from '@/components/forms/form-field'
import { PersonPicker } from '@/components/people/person-picker'
import { approvalRules } from '@/lib/domains/approvals/shape'
import { visibleText } from '@/lib/words/clean-text'
import type { RuleChoices } from './read-choices'

const { configurationId, userId, groupId, apiKeyId } = approvalRules.fields

/** Shows the fields for the runs that a rule is about: with which configuration, whose, and started by which key. */
export function RunFields({ choices }: { choices: RuleChoices }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
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
      <PersonField first={choices.person} />
      <FormField
        name="groupId"
        shape={{
          kind: 'select',
          label: groupId.label,
          choices: [
            { value: null, label: 'Any group or none' },
            ...choices.groups.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
          ],
          search: 'Search groups',
        }}
      />
      <FormField
        name="apiKeyId"
        shape={{
          kind: 'select',
          label: apiKeyId.label,
          choices: [
            { value: null, label: 'Any' },
            ...choices.apiKeys.map(({ id, name, prefix, owner }) => ({
              value: id,
              label: visibleText(`${name} (${prefix}, ${owner})`),
            })),
          ],
          search: 'Search API keys',
        }}
      />
    </div>
  )
}

function PersonField({ first }: { first: string | null }) {
  const [email, setEmail] = useState(first)
  return (
    <CustomField<string | null> name="userId" label={userId.label}>
      {(control, { onChange }) => (
        <PersonPicker
          control={control}
          label={userId.label}
          any="Any person"
          chosen={email}
          onPick={(person) => {
            setEmail(person?.email ?? null)
            onChange(person?.id ?? null)
          }}
        />
      )}
    </CustomField>
  )
}
