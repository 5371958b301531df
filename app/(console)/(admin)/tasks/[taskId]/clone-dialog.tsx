'use client'
import { useRouter } from 'next/navigation'
import { FormDialog } from '@/components/forms/form-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { copyTask } from '../actions'

type Props = { task: { id: string; name: string; identifier: string }; onClose: () => void }

export function CloneDialog({ task: { id, name, identifier }, onClose }: Props) {
  const router = useRouter()
  const toast = useToast()
  return (
    <FormDialog
      title={`Clone ${name}`}
      description="The copy has the same prompt, variables and skills, and its own history."
      button="Clone task"
      failed="The task was not cloned"
      send={(text) => copyTask({ taskId: id, name: text('name'), identifier: text('identifier') })}
      onDone={(copy) => {
        toast({ tone: 'ok', title: `Cloned ${name}` })
        onClose()
        router.push(`/tasks/${copy.id}`)
      }}
      onClose={onClose}
    >
      {(wrong, formId) => (
        <>
          <Field id={`${formId}-name`} label="Name" error={wrong.name}>
            {(control) => (
              <Input
                {...control}
                name="name"
                defaultValue={`Copy of ${name}`.slice(0, 100)}
                autoComplete="off"
              />
            )}
          </Field>
          <Field id={`${formId}-identifier`} label="Identifier" error={wrong.identifier}>
            {(control) => (
              <Input
                {...control}
                name="identifier"
                className="font-mono"
                defaultValue={`${identifier.slice(0, 55)}-copy`}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
