import type { Metadata } from 'next'
import { VisibleText } from '@/components/trace/visible-text'
import { PageHead } from '@/components/ui/page-head'
import { findModelDetails } from '../../find-model-details'
import { EditModelForm } from './edit-model-form'

export const metadata: Metadata = { title: 'Edit model' }

type Props = { params: Promise<{ modelId: string }> }

export default async function EditModelPage({ params }: Props) {
  const model = await findModelDetails((await params).modelId)
  return (
    <div className="flex flex-col gap-6 p-4 md:p-6">
      <PageHead
        title={
          <>
            Edit <VisibleText text={model.displayName} />
          </>
        }
      >
        Active runs keep the settings they started with. Capabilities you change count as entered by
        an admin until they are tested.
      </PageHead>
      <EditModelForm model={model} />
    </div>
  )
}
