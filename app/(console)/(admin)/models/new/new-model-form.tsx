'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { modelShape } from '@/lib/domains/models/shape'
import { unpriced } from '@/lib/protocol/cost/cost'
import { defaultsOf, readTyped, typedOf } from '@/lib/shape/field-codec'
import { visibleText } from '@/lib/words/clean-text'
import { addModel } from '../actions'
import { FactFields } from '../fact-fields'
import { PriceFields, pricesOf, typedPrices } from '../price-fields'

export function NewModelForm({ connections }: { connections: { id: string; name: string }[] }) {
  const form = useActionForm({
    values: {
      connectionId: connections[0]?.id ?? '',
      modelId: '',
      ...typedOf(modelShape, { displayName: '', ...defaultsOf(modelShape) }),
      prices: typedPrices(unpriced),
      priceSource: '',
    },
    send: ({ connectionId, modelId, prices, priceSource, ...facts }) =>
      addModel({
        connectionId,
        modelId,
        ...readTyped(modelShape, facts),
        displayName: facts.displayName.trim() || modelId.slice(0, 100),
        prices: pricesOf(prices),
        priceSource,
      }),
    done: (_, { modelId }) => `Added ${visibleText(modelId)}`,
    next: ({ id }) => `/models/${id}`,
  })
  return (
    <Form form={form} className="max-w-160 gap-5">
      <FormField
        name="connectionId"
        shape={{
          kind: 'select',
          label: 'Connection',
          search: 'Search connections',
          choices: connections.map(({ id, name }) => ({ value: id, label: name })),
        }}
      />
      <FormField
        name="modelId"
        shape={{
          kind: 'text',
          label: 'Model id',
          hint: 'As the provider names it. Cannot change later.',
          mono: true,
        }}
      />
      <FactFields />
      <PriceFields />
      <FormField
        name="priceSource"
        shape={{ kind: 'text', label: 'Price source', optional: true }}
      />
      <FormButtons button="Add model" cancel="/models" />
    </Form>
  )
}
