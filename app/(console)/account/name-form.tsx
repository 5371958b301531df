'use client'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { rename } from './actions'

export function NameForm({ name }: { name: string }) {
  const form = useActionForm({ values: { name }, send: rename, done: 'Saved your name' })
  return (
    <Form form={form} className="max-w-120">
      <FormFailure title="Your name was not saved" />
      <div className="flex items-start gap-2">
        <FormField
          name="name"
          shape={{ kind: 'text', label: 'Name', autoComplete: 'name' }}
          className="flex-1"
        />
        <SubmitButton variant="secondary" className="mt-6">
          Save
        </SubmitButton>
      </div>
    </Form>
  )
}
