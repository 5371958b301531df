'use client'
import type { CheckDetail } from '@toolgate/server/domains/checks/schemas'
import { useWatch } from 'react-hook-form'
import { saveCheck } from '@/app/(console)/checks/actions'
import { assertionFieldOf } from '@/components/checks/assertion-draft'
import {
  CheckFormFields,
  type CheckValues,
  checkInput,
  checkValues,
  type GroupChoice,
} from '@/components/checks/check-form'
import { ChangedMeanwhile } from '@/components/forms/changed-meanwhile'
import { FieldGroup } from '@/components/forms/field-group'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { type ActionForm, useActionForm, useFilledFrom } from '@/components/forms/use-action-form'
import type { FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { type SourceDraft, sourceDrafts, sourcesOf } from './source-drafts'
import { SourcesField } from './sources-field'

type Props = {
  check: CheckDetail
  /** Those that the editor may run. */
  configurations: readonly { id: string; identifier: string; name: string }[]
  groups: readonly GroupChoice[]
}

type Values = CheckValues & {
  /** Id; null = none: its own was deleted. */
  configuration: string | null
  prompt: string
  sources: SourceDraft[]
}

/** Changes a check. It saves against the version that it was filled from. */
export function EditCheckForm({ check, configurations, groups }: Props) {
  const { id } = check
  const form: ActionForm<Values> = useActionForm<Values, { version: number }>({
    values: valuesOf(check),
    isShared: true,
    adjust: (now, before) =>
      now.tries !== before.tries && before.passes === before.tries ? { passes: now.tries } : {},
    send: (values) => saveCheck({ id, version: base.version, ...inputOf(values, base) }),
    fieldOf: assertionFieldOf,
    done: 'Saved the check',
    next: () => `/checks/${id}`,
  })
  const { base, conflict } = useFilledFrom<CheckDetail, Values>(form, {
    stored: check,
    versionOf: ({ version }) => version,
    valuesOf,
  })
  return (
    <div className="flex flex-col gap-6">
      {conflict && (
        <ChangedMeanwhile
          title="Somebody changed this check while you were editing."
          take="Load the change"
          {...conflict}
        />
      )}
      <Form form={form} label="Edit check" className="gap-4">
        <CheckFormFields tools={toolsOf(check)} judges={configurations} groups={groups} />
        <SourcesGroup />
        <RunGroup base={base} configurations={configurations} />
        <FormButtons button="Save" cancel={`/checks/${id}`} />
      </Form>
    </div>
  )
}

function SourcesGroup() {
  const sources = useWatch<Values, 'sources'>({ name: 'sources' })
  const changed = sources.filter(({ source }) => source !== 'recorded')
  return (
    <FieldGroup
      title="Results of tools"
      fields={['sources']}
      set={changed.length === 0 ? [] : [`${countOf(changed.length, 'tool')} not recorded`]}
      usual="Recorded"
    >
      <SourcesField />
    </FieldGroup>
  )
}

function RunGroup({ base, configurations }: Pick<Props, 'configurations'> & { base: CheckDetail }) {
  const [configuration, prompt] = useWatch<Values, ['configuration', 'prompt']>({
    name: ['configuration', 'prompt'],
  })
  return (
    <FieldGroup
      title="Configuration and prompt"
      fields={['configuration', 'prompt']}
      set={differences({ configuration, prompt }, base)}
      usual="As saved"
    >
      <FormField name="configuration" shape={configurationField(base, configurations)} />
      <FormField name="prompt" shape={promptField} />
    </FieldGroup>
  )
}

const promptField: FieldShape = { kind: 'textarea', label: 'Prompt', rows: 6 }

function valuesOf(check: CheckDetail): Values {
  return {
    ...checkValues(check),
    configuration: check.configuration.id,
    prompt: check.prompt,
    sources: sourceDrafts(
      check.recordings.map(({ tool }) => tool),
      check.sources,
    ),
  }
}

/** Returns what is sent. A configuration that stays as it is may be one that the editor may not use. */
function inputOf(values: Values, base: CheckDetail) {
  const { configuration, prompt, sources } = values
  return {
    ...checkInput(values),
    sources: sourcesOf(sources),
    ...(prompt !== base.prompt && { prompt }),
    ...(configuration !== null && configuration !== base.configuration.id && { configuration }),
  }
}

function differences(
  { configuration, prompt }: Pick<Values, 'configuration' | 'prompt'>,
  base: CheckDetail,
): string[] {
  return [
    ...(base.configuration.id === null && configuration === null
      ? ['The configuration was deleted']
      : []),
    ...(configuration === base.configuration.id ? [] : ['Another configuration']),
    ...(prompt === base.prompt ? [] : ['Another prompt']),
  ]
}

function configurationField(
  { configuration: { id, name } }: CheckDetail,
  configurations: Props['configurations'],
): FieldShape {
  const known = configurations.map((each) => ({ value: each.id, label: visibleText(each.name) }))
  const isKnown = configurations.some((each) => each.id === id)
  return {
    kind: 'select',
    label: 'Configuration',
    search: 'Search configurations',
    placeholder: id === null ? `${visibleText(name)} was deleted` : 'Pick a configuration',
    choices: isKnown || id === null ? known : [{ value: id, label: visibleText(name) }, ...known],
  }
}

/** Returns the tools that a form offers by name: those of the recorded calls and of the assertions. */
function toolsOf({ recordings, assertions, tools }: CheckDetail): string[] {
  const asserted = assertions.flatMap((assertion) => ('tool' in assertion ? assertion.tool : null))
  const named = [...recordings.map(({ tool }) => tool), ...asserted, ...(tools ?? [])]
  return [...new Set(named.filter((tool) => tool !== null))].toSorted()
}
