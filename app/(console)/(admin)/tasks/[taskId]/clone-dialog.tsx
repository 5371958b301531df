'use client'
import { FormDialog } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { taskShape } from '@/lib/domains/tasks/shape'
import { copyTask } from '../actions'

type Props = { task: { id: string; name: string; identifier: string }; onClose: () => void }

const fields = { name: taskShape.name, identifier: taskShape.identifier }

export function CloneDialog({ task: { id, name, identifier }, onClose }: Props) {
  const form = useActionForm({
    values: {
      name: `Copy of ${name}`.slice(0, 100),
      identifier: `${identifier.slice(0, 55)}-copy`,
    },
    send: (names) => copyTask({ taskId: id, ...names }),
    done: `Cloned ${name}`,
    onDone: onClose,
    next: (copy) => `/tasks/${copy.id}`,
  })
  return (
    <FormDialog
      form={form}
      title={`Clone ${name}`}
      description="The copy has the same prompt, variables and skills, and its own history."
      button="Clone task"
      failed="The task was not cloned"
      onClose={onClose}
    >
      <FormFields fields={fields} />
    </FormDialog>
  )
}
