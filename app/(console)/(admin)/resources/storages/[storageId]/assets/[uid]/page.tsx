import { readAsset } from '@toolgate/server/domains/storages/asset-verbs'
import { storageVerbs } from '@toolgate/server/domains/storages/verbs'
import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { cache } from 'react'
import { AssetImage } from '@/app/(console)/(admin)/resources/storages/[storageId]/asset-image'
import { contentAddress } from '@/app/(console)/(admin)/resources/storages/[storageId]/asset-thumb'
import { ResourceHistory } from '@/components/resource/resource-history'
import { PageHead } from '@/components/shell/page-head'
import { CodeText } from '@/components/trace/code-text'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Fact } from '@/components/ui/fact'
import { PageFrame } from '@/components/ui/page-frame'
import { RelativeTime } from '@/components/ui/relative-time'
import { Section } from '@/components/ui/section'
import { storages } from '@/lib/domains/storages/shape'
import { assetName } from '@/lib/domains/storages/shared/asset'
import {
  type AssetFacts,
  assetActs,
  assetFields,
} from '@/lib/domains/storages/shared/asset-schemas'
import { orNotFound } from '@/lib/next/or-not-found'
import { readHistory } from '@/lib/next/read-history'
import { requireAdmin } from '@/lib/next/require-user'
import { headingOf, pathOf } from '@/lib/protocol/nouns'
import { formatBytes } from '@/lib/words/format'
import { pageTitle } from '@/lib/words/page-title'
import { AssetActions } from './asset-form'

type Props = { params: Promise<{ storageId: string; uid: string }> }

/** Reads an asset with its storage, once a request. */
const read = cache((storageId: string, uid: string) =>
  orNotFound(async () => {
    const ctx = await requireAdmin()
    const storage = await storageVerbs.read(ctx, { id: storageId })
    const asset = await readAsset(ctx, { storageId, uid })
    const about = { objectType: 'asset', objectId: asset.uid }
    return { storage, asset, history: await readHistory(ctx, about, asset.createdByLabel) }
  }),
)

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { storageId, uid } = await params
  const { asset } = await read(storageId, uid)
  return pageTitle(asset.title || assetName(asset.path), headingOf(storages))
}

export default async function AssetPage({ params }: Props) {
  await requireAdmin()
  const { storageId, uid } = await params
  const { storage, asset, history } = await read(storageId, uid)
  const { title, path, alternativeText, updatedAt } = asset
  return (
    <PageFrame kind="detail">
      <PageHead
        title={<VisibleText text={title || assetName(path)} />}
        action={
          <>
            <Button asChild>
              <a href={contentAddress(asset)} download={assetName(path)}>
                <Download className="size-4" aria-hidden />
                Download
              </a>
            </Button>
            <AssetActions asset={asset} largestFile={storage.largestFile} />
          </>
        }
      >
        Asset of{' '}
        <Link
          href={`${pathOf(storages)}/${storage.id}`}
          className="text-link underline underline-offset-2"
        >
          <VisibleText text={storage.name} />
        </Link>
        , added by <VisibleText text={history.addedBy || 'unknown'} />, changed{' '}
        <RelativeTime at={updatedAt} />
      </PageHead>
      <Facts asset={asset} />
      <Section title="Alternative text">
        {alternativeText === '' ? (
          <p className="text-muted">None yet</p>
        ) : (
          <p className="max-w-[72ch] [overflow-wrap:anywhere]">
            <VisibleText text={alternativeText} />
          </p>
        )}
      </Section>
      <Section title="Preview">
        <Preview asset={asset} />
      </Section>
      <ResourceHistory resource={described} id={asset.uid} history={history} />
    </PageFrame>
  )
}

const described = { noun: 'asset', fields: assetFields, acts: assetActs }

function Facts({ asset }: { asset: AssetFacts }) {
  const { path, mediaType, bytes, width, height, checksum, createdAt } = asset
  return (
    <Card className="p-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Fact label="Path">
          <CodeText text={path} />
        </Fact>
        <Fact label="Type">{mediaType}</Fact>
        <Fact label="Size">{formatBytes(bytes)}</Fact>
        {width !== null && height !== null && (
          <Fact label="Pixels">
            {width} × {height}
          </Fact>
        )}
        <Fact label="SHA-256">
          <code className="font-mono text-mono">{checksum}</code>
        </Fact>
        <Fact label="Added">
          <RelativeTime at={createdAt} />
        </Fact>
      </dl>
    </Card>
  )
}

function Preview({ asset }: { asset: AssetFacts }) {
  const { bytes, mediaType, path, checksum } = asset
  if (bytes === 0) return <p className="text-muted">The file is empty.</p>
  if (!asset.shown) {
    return <p className="text-muted">No preview. Download the file.</p>
  }
  return (
    <AssetImage
      key={checksum}
      src={contentAddress(asset)}
      alt={asset.alternativeText}
      className="max-h-[32rem] max-w-full self-start rounded-md border object-contain"
    >
      <p className="text-muted">
        This image cannot be shown: {mediaType}, {formatBytes(bytes)}.{' '}
        <a
          href={contentAddress(asset)}
          download={assetName(path)}
          className="text-link underline underline-offset-2"
        >
          Download the file
        </a>
      </p>
    </AssetImage>
  )
}
