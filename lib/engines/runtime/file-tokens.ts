import type { Attachment, Message } from '@/lib/protocol/message'
import type { ModelTarget } from '@/lib/protocol/model-target'

const none: readonly Attachment[] = []

export function attachmentsOf(message: Message): readonly Attachment[] {
  return (message.role !== 'assistant' && message.attachments) || none
}

/** Tokens of the tags and the marker around the text of a file. */
const aroundText = 256
const usualImage = 1_600
const usualPage = 2_300
const bytesOfPage = 50 * 1024
/** Scanned pages are large, so the size of a file says little about the number of its pages. */
const mostUsualPages = 15

/** Estimates the tokens of a file in a request. */
export function likelyFileTokens({ type, bytes, pages }: Attachment): number {
  if (type === 'text/plain') return Math.ceil(bytes / 4) + 64
  if (type !== 'application/pdf') return usualImage
  return (pages ?? Math.min(Math.ceil(bytes / bytesOfPage), mostUsualPages)) * usualPage
}

/** The most tokens of an image, and of the image that a provider makes of one page of a PDF. */
type MostOf = { image: number; page: number }

/**
 * platform.claude.com/docs/en/build-with-claude/vision: one token for each 28 x 28 pixels, larger images are made smaller
 * to 4,784 (1,568 before Claude 4.7); …/pdf-support: a page costs what an image costs. Read on 2026-11-23, the first one as
 * it is quoted elsewhere.
 */
const claude: MostOf = { image: 4_784, page: 4_784 }
/**
 * ai.google.dev/gemini-api/docs/media-resolution: 2,240 at `ultra_high`; 1,120 for images and 560 for pages otherwise. Read
 * on 2026-11-23 as it is quoted elsewhere. Earlier models have 258 for each of their tiles, without a published maximum.
 */
const geminiSince3: MostOf = { image: 2_240, page: 2_240 }
/**
 * developers.openai.com/api/docs/guides/images-vision: since GPT-5.6 `auto` keeps an image as it is, up to 30,000 patches
 * at 1.2 tokens; the dearest of those made smaller is 6,144 patches at 2.46. GPT-4o mini: 2,833 and 8 tiles of 5,667. Read
 * on 2026-11-23 as it is quoted elsewhere. The guide to file inputs says that pages are shown in high detail and gives no
 * figure, so a page is taken as the dearest image in high detail.
 */
const gpt: MostOf = { image: 36_000, page: 15_115 }
const gpt4oMini: MostOf = { image: 48_169, page: 48_169 }
/** No published figures were found for others (Mistral, Nova, local models): the highest of the above. */
const others = gpt4oMini

/**
 * Returns the maximum of a model family, only where model names are reliable: behind other API types, people name
 * models and deployments as they like.
 */
function mostOf({ wire, modelId }: Pick<ModelTarget, 'wire' | 'modelId'>): MostOf {
  const name = modelId.toLowerCase()
  if (wire === 'anthropic' || wire === 'bedrock') return name.includes('claude') ? claude : others
  if (wire === 'gemini') return /gemini-(?:[3-9]|\d\d)/.test(name) ? geminiSince3 : others
  if (wire === 'openai') return name.includes('gpt-4o-mini') ? gpt4oMini : gpt
  return others
}

/**
 * platform.claude.com/docs/en/build-with-claude/pdf-support: the text of a page is 1,500 to 3,000 tokens. Read on 2026-11-23
 * as it is quoted elsewhere. A page with more text counts by its text.
 */
const textOfPage = 3_000
/** The longest context window of the catalogue of models: no provider can count more of a PDF whose size is not known. */
export const longestWindow = 1_050_000

/** Returns the most tokens that a provider can count for these files (SPEC M2). */
export function mostFileTokens(
  files: readonly Attachment[],
  target: Pick<ModelTarget, 'wire' | 'modelId'>,
): number {
  const { image, page } = mostOf(target)
  return files.reduce((sum, { type, bytes, mostTokens, pages }) => {
    if (type === 'text/plain') return sum + aroundText + (mostTokens ?? bytes)
    if (type !== 'application/pdf') return sum + image
    if (pages === undefined || mostTokens === undefined) return sum + longestWindow
    return sum + pages * page + Math.max(pages * textOfPage, mostTokens) + aroundText
  }, 0)
}
