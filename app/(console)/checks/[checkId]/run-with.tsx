'use client'
import { useWatch } from 'react-hook-form'
import { modeWords } from '@/components/checks/verdict-pill'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { CheckMode } from '@/lib/protocol/check/check'
import { choicesOf, type FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'
import { startCheck } from '../actions'

type Props = {
  check: { id: string; name: string; configuration: { id: string | null; name: string } }
  configurations: readonly { id: string; name: string }[]
  onClose: () => void
}

type Values = { mode: CheckMode; configurations: string[] }

const modeHints: Record<CheckMode, string> = {
  recorded:
    'Tools are not called, unless the check calls them. A call without a recorded result fails.',
  live: 'Tools that read are called. Tools that write keep their recorded results, unless the check calls them.',
}

/** Runs a check with live tools or with other configurations. */
export function RunWith({ check, configurations, onClose }: Props) {
  const { id, configuration } = check
  const form = useActionForm<Values, { checkRunId: string }>({
    values: { mode: 'recorded', configurations: [] },
    send: ({ mode, configurations: chosen }) =>
      startCheck({ id, mode, ...(chosen.length > 0 && { configurations: chosen }) }),
    fieldOf: (path) => (path.startsWith('configurations') ? 'configurations' : path),
    done: `Started ${visibleText(check.name)}`,
    next: ({ checkRunId }) => `/checks/runs/${checkRunId}`,
  })
  const mode = useWatch({ control: form.control, name: 'mode' })
  const own = visibleText(configuration.name)
  const picked: FieldShape = {
    kind: 'checkboxes',
    label: 'Configurations',
    isColumn: true,
    hint:
      configuration.id === null
        ? `Pick at least one: ${own} was deleted.`
        : `Leave empty for its own, ${own}.`,
    choices: configurations.map((each) => ({ value: each.id, label: visibleText(each.name) })),
  }
  return (
    <FormDialog
      form={form}
      title={`Run ${visibleText(check.name)}`}
      button="Run"
      failed="The check was not started"
      onClose={onClose}
    >
      <FormField name="mode" shape={modeField} hint={modeHints[mode]} />
      <FormField
        name="configurations"
        shape={picked}
        className="max-h-80 overflow-y-auto [overflow-wrap:anywhere]"
      />
    </FormDialog>
  )
}

const modeField: FieldShape = {
  kind: 'select',
  label: 'Results of tools',
  choices: choicesOf(modeWords),
}
