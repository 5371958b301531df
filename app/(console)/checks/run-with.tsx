'use client'
import { useWatch } from 'react-hook-form'
import { modeWords } from '@/components/checks/verdict-pill'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { ActionResult } from '@/lib/next/action'
import type { CheckMode } from '@/lib/protocol/check/check'
import { choicesOf, type FieldShape } from '@/lib/shape/field-shape'
import { visibleText } from '@/lib/words/clean-text'

/** `configurations` left out: those of the checks. */
export type RunWishes = { mode: CheckMode; configurations?: string[] }

type Props = {
  /** Name of the check or the suite. */
  name: string
  /** Words about the configurations that it has by itself. */
  hint: string
  configurations: readonly { id: string; name: string }[]
  send: (wishes: RunWishes) => Promise<ActionResult<{ checkRunId: string }>>
  onClose: () => void
}

type Values = { mode: CheckMode; configurations: string[] }

const modeHints: Record<CheckMode, string> = {
  recorded:
    'Tools are not called, unless the check calls them. A call without a recorded result fails.',
  live: 'Tools that read are called. Tools that write keep their recorded results, unless the check calls them.',
}

/** Runs a check or a suite with live tools or with other configurations. */
export function RunWith({ name, hint, configurations, send, onClose }: Props) {
  const form = useActionForm<Values, { checkRunId: string }>({
    values: { mode: 'recorded', configurations: [] },
    send: ({ mode, configurations: chosen }) =>
      send({ mode, ...(chosen.length > 0 && { configurations: chosen }) }),
    fieldOf: (path) => (path.startsWith('configurations') ? 'configurations' : path),
    done: `Started ${visibleText(name)}`,
    next: ({ checkRunId }) => `/checks/runs/${checkRunId}`,
  })
  const mode = useWatch({ control: form.control, name: 'mode' })
  const picked: FieldShape = {
    kind: 'checkboxes',
    label: 'Configurations',
    isColumn: true,
    hint,
    choices: configurations.map((each) => ({ value: each.id, label: visibleText(each.name) })),
  }
  return (
    <FormDialog
      form={form}
      title={`Run ${visibleText(name)}`}
      button="Run"
      failed="Not started"
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
