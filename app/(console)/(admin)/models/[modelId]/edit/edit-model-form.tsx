'use client'
import type { ModelDetails, UpdateModel } from '@toolgate/server/domains/models/schemas'
import { useState } from 'react'
import { changeModel } from '@/app/(console)/(admin)/models/actions'
import { FactFields } from '@/app/(console)/(admin)/models/fact-fields'
import { Form, FormButtons } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { type ModelFacts, modelShape } from '@/lib/domains/models/shape'
import { readTyped, typedOf } from '@/lib/shape/field-codec'

type Props = { model: ModelDetails }

export function EditModelForm({ model }: Props) {
  // After a refresh the fields still belong to the model that they were filled from.
  const [filledFrom] = useState(model)
  const form = useActionForm({
    values: typedOf(modelShape, filledFrom),
    send: (facts) =>
      changeModel({ id: model.id, ...changesOf(readTyped(modelShape, facts), filledFrom) }),
    done: 'Saved the model',
    next: () => `/models/${model.id}`,
  })
  return (
    <Form form={form} className="max-w-160 gap-5">
      <FactFields />
      <FormButtons button="Save" cancel={`/models/${model.id}`} />
    </Form>
  )
}

/** Returns only the fields that were changed here, so that a save does not undo a colleague's change. */
function changesOf(form: ModelFacts, before: ModelDetails): UpdateModel {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return Object.fromEntries(
    Object.entries(form).filter(
      ([name, value]) => Number.isNaN(value) || !same(value, before[name as keyof UpdateModel]),
    ),
  )
}
