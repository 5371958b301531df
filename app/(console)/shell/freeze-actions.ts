'use server'
import { revalidatePath } from 'next/cache'
import { freezeSite } from '@/lib/domains/settings/freeze-site'
import { FreezeSite, UnfreezeSite } from '@/lib/domains/settings/schemas'
import { unfreezeSite } from '@/lib/domains/settings/unfreeze-site'
import { customAction } from '@/lib/kernel/action'

export const freeze = customAction(FreezeSite, 'admin', async (ctx, input) => {
  await freezeSite(ctx, input)
  revalidatePath('/', 'layout')
})

export const unfreeze = customAction(UnfreezeSite, 'admin', async (ctx, input) => {
  await unfreezeSite(ctx, input)
  revalidatePath('/', 'layout')
})
