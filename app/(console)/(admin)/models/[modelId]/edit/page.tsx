import type { Metadata } from 'next'
import { findModelDetails } from '@/app/(console)/(admin)/models/find-model-details'
import { PageHead } from '@/components/shell/page-head'
import { VisibleText } from '@/components/trace/visible-text'
import { PageFrame } from '@/components/ui/page-frame'
import { pageTitle } from '@/lib/words/page-title'
import { EditModelForm } from './edit-model-form'

type Props = { params: Promise<{ modelId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { displayName } = await findModelDetails((await params).modelId)
  return pageTitle(`Edit ${displayName}`, 'Models')
}

export default async function EditModelPage({ params }: Props) {
  const model = await findModelDetails((await params).modelId)
  return (
    <PageFrame kind="form">
      <PageHead
        title={
          <>
            Edit <VisibleText text={model.displayName} />
          </>
        }
      >
        Active runs keep their settings.
      </PageHead>
      <EditModelForm model={model} />
    </PageFrame>
  )
}
