'use client'
import { useWatch } from 'react-hook-form'
import { FieldGroup } from '@/components/forms/field-group'
import { FormField } from '@/components/forms/form-field'
import { Section } from '@/components/ui/section'
import type { Assertion } from '@/lib/protocol/check/assertion'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { parseCount } from '@/lib/words/format'
import { type AssertionDraft, assertionDrafts, assertionsOf } from './assertion-draft'
import type { JudgeChoice } from './assertion-field-control'
import { AssertionsField } from './assertions-field'

/** The fields of a check that people write, as a form holds them. */
export type CheckValues = {
  name: string
  description: string
  assertions: AssertionDraft[]
  tries: string
  passes: string
  /** Ids. */
  groups: string[]
  /** Names, separated by commas. */
  suites: string
}

type Check = {
  name: string
  description: string
  assertions: readonly Assertion[]
  tries: number
  passes: number
  groups: readonly { id: string }[]
  suites: readonly string[]
}

/** Returns a check as a form holds it. */
export function checkValues({ name, description, assertions, ...check }: Check): CheckValues {
  return {
    name,
    description,
    assertions: assertionDrafts(assertions),
    tries: String(check.tries),
    passes: String(check.passes),
    groups: check.groups.map(({ id }) => id),
    suites: check.suites.join(', '),
  }
}

/** Returns what a form sends. The server refuses a figure that is none, beside its field. */
export function checkInput(values: CheckValues) {
  const { name, description, assertions, tries, passes, groups, suites } = values
  return {
    name,
    description,
    assertions: assertionsOf(assertions),
    tries: figureOf(tries),
    passes: figureOf(passes),
    groups,
    suites: suites
      .split(',')
      .map((suite) => suite.trim())
      .filter(Boolean),
  }
}

function figureOf(text: string): number {
  return parseCount(text) ?? Number.NaN
}

const fields = {
  name: { kind: 'text', label: 'Name', required: 'Enter a name.' },
  description: { kind: 'textarea', label: 'Description', optional: true, rows: 2 },
  tries: { kind: 'number', label: 'Tries', hint: '1-20 runs of the model.' },
  passes: { kind: 'number', label: 'Tries that must pass' },
  suites: {
    kind: 'text',
    label: 'Suites',
    optional: true,
    hint: 'Separated by commas. Checks of one suite run together.',
  },
} as const satisfies Record<string, FieldShape>

export type GroupChoice = { id: string; name: string }

type FieldsProps = {
  tools: readonly string[]
  judges: readonly JudgeChoice[]
  groups: readonly GroupChoice[]
}

/**
 * Shows the fields of a check. `tools` are offered by name, `judges` are configurations that its reader may use, and `groups` those to
 * which they may give it.
 */
export function CheckFormFields({ tools, judges, groups }: FieldsProps) {
  return (
    <>
      <FormField name="name" shape={fields.name} />
      <Section title="Assertions">
        <AssertionsField tools={tools} judges={judges} />
      </Section>
      <FurtherFields groups={groups} />
    </>
  )
}

/** Shows what few people change. Only this part is rendered while somebody types there. */
function FurtherFields({ groups }: { groups: readonly GroupChoice[] }) {
  const [tries, passes, given, suites, description] = useWatch<
    CheckValues,
    ['tries', 'passes', 'groups', 'suites', 'description']
  >({ name: ['tries', 'passes', 'groups', 'suites', 'description'] })
  const names = groups.filter(({ id }) => given.includes(id)).map(({ name }) => visibleText(name))
  const set = [
    ...(tries === '1' ? [] : [`Tries ${tries}, ${tries === passes ? 'all' : passes} must pass`]),
    ...(names.length === 0 ? [] : [`Groups ${names.join(', ')}`]),
    ...(suites.trim() === '' ? [] : [`Suites ${visibleText(suites)}`]),
    ...(description.trim() === '' ? [] : ['A description']),
  ]
  return (
    <FieldGroup
      title="Tries, groups, suites and description"
      fields={['tries', 'passes', 'groups', 'suites', 'description']}
      set={set}
      usual="One try, for you alone"
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField name="tries" shape={fields.tries} />
        <FormField name="passes" shape={fields.passes} />
      </div>
      <FormField name="groups" shape={groupsField(groups)} />
      <FormField name="suites" shape={fields.suites} />
      <FormField name="description" shape={fields.description} />
    </FieldGroup>
  )
}

function groupsField(groups: readonly GroupChoice[]): FieldShape {
  const choices = groups.map(({ id, name }) => ({ value: id, label: visibleText(name) }))
  return {
    kind: 'checkboxes',
    label: 'Groups',
    choices,
    hint:
      choices.length === 0
        ? 'There is no group to which you can give it.'
        : 'Their members run it and see its recorded results.',
  }
}
