'use client'
import { Pencil, Trash2, Upload } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { sendAsset } from '@/app/(console)/(admin)/resources/storages/[storageId]/send-asset'
import {
  putBackAsset,
  removeAsset,
  saveAsset,
} from '@/app/(console)/(admin)/resources/storages/actions'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useAct } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { MoreMenu } from '@/components/ui/more-menu'
import { useToast } from '@/components/ui/toast'
import { storages } from '@/lib/domains/storages/shape'
import { assetName, bytesOf, tooLargeWords } from '@/lib/domains/storages/shared/asset'
import { type AssetFacts, assetFields } from '@/lib/domains/storages/shared/asset-schemas'
import { pathOf } from '@/lib/protocol/nouns'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'

type Props = { asset: AssetFacts; largestFile: number }

/** Shows the buttons that edit an asset, replace its file and delete it. */
export function AssetActions({ asset, largestFile }: Props) {
  const [isEditing, setEditing] = useState(false)
  const { choose, input } = useReplacement({ asset, largestFile })
  const remove = useRemoval(asset)
  return (
    <>
      <Button onClick={() => setEditing(true)}>
        <Pencil className="size-4" aria-hidden />
        Edit
      </Button>
      <MoreMenu
        entries={[
          { label: 'Replace file…', icon: Upload, onSelect: choose },
          { label: 'Delete', icon: Trash2, onSelect: remove },
        ]}
      />
      {input}
      {isEditing && <AssetForm asset={asset} onClose={() => setEditing(false)} />}
    </>
  )
}

function AssetForm({ asset, onClose }: { asset: AssetFacts; onClose: () => void }) {
  // After a refresh, what is typed still belongs to the asset that the form was filled from.
  const [{ storageId, uid, title, alternativeText, path, updatedAt }] = useState(asset)
  const form = useActionForm({
    values: { title, alternativeText, path, reason: '' },
    send: (typed) => saveAsset({ storageId, uid, updatedAt, ...typed }),
    done: 'Saved the asset',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Edit ${visibleText(title || assetName(path))}`}
      button="Save"
      failed="The asset was not saved"
      onClose={onClose}
    >
      <FormField name="title" shape={assetFields.title} />
      <FormField name="alternativeText" shape={assetFields.alternativeText} />
      <FormField name="path" shape={assetFields.path} />
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}

/** Returns what lets a person choose another file for an asset, and the field that it needs on the page. */
function useReplacement({ asset, largestFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const router = useRouter()
  const toast = useToast()
  const replace = async (file: File) => {
    const { storageId, path } = asset
    const title = 'The file was not replaced'
    if (file.size > bytesOf(largestFile)) {
      const description = tooLargeWords(largestFile)
      return toast({ tone: 'error', title, description })
    }
    const sent = await sendAsset({ storageId, path, file, replace: true }, () => undefined)
    if (sent.type !== 'stored') {
      return toast({
        tone: 'error',
        title,
        ...(sent.type === 'failed' && { description: sent.error }),
      })
    }
    toast({ tone: 'ok', title: 'Replaced the file' })
    router.refresh()
  }
  return {
    choose: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        aria-label="New file of the asset"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void replace(file)
        }}
      />
    ),
  }
}

/** Returns what deletes an asset at once and offers to undo it. */
function useRemoval({ storageId, uid, title, path }: AssetFacts): () => void {
  const { act } = useAct()
  const router = useRouter()
  const name = visibleText(title || assetName(path))
  const send = async () => {
    const result = await removeAsset({ storageId, uid })
    if (result.ok) router.push(`${pathOf(storages)}/${storageId}`)
    return result
  }
  return () =>
    void act(send, {
      failed: `${name} was not deleted`,
      done: `Deleted ${name}`,
      undo: () => putBackAsset({ storageId, uid }),
    })
}
