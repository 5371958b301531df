'use client'
import { saveAsCheck } from '@/app/(console)/runs/actions'
import { assertionFieldOf } from '@/components/checks/assertion-draft'
import type { JudgeChoice } from '@/components/checks/assertion-field-control'
import {
  CheckFormFields,
  type CheckValues,
  checkInput,
  checkValues,
  type GroupChoice,
} from '@/components/checks/check-form'
import { Form, FormButtons } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import type { Assertion } from '@/lib/protocol/check/assertion'

type Props = {
  runId: string
  /** The first words of the prompt. */
  name: string
  /** Assertions that the run proposes. */
  proposed: readonly Assertion[]
  /** Names of the tools that the run was offered. */
  tools: readonly string[]
  judges: readonly JudgeChoice[]
  groups: readonly GroupChoice[]
}

/** Saves a run that ended as a check. */
export function SaveCheckForm({ runId, name, proposed, tools, judges, groups }: Props) {
  const form = useActionForm<CheckValues, { id: string }>({
    values: checkValues({
      suites: [],
      name,
      description: '',
      assertions: proposed,
      tries: 1,
      passes: 1,
      groups: [],
    }),
    // One more try than before must not mean that one may fail, unless somebody says so.
    adjust: (now, before) =>
      now.tries !== before.tries && before.passes === before.tries ? { passes: now.tries } : {},
    send: (values) => saveAsCheck({ runId, ...checkInput(values) }),
    fieldOf: assertionFieldOf,
    done: 'Saved the check',
    next: ({ id }) => `/checks/${id}`,
  })
  return (
    <Form form={form} label="Save as check" className="gap-4">
      <CheckFormFields tools={tools} judges={judges} groups={groups} />
      <FormButtons button="Save" cancel={`/runs/${runId}`} />
    </Form>
  )
}
