'use server'
import { revalidatePath } from 'next/cache'
import { freezeSite } from '@/lib/domains/settings/freeze-site'
import { FreezeSite, UnfreezeSite } from '@/lib/domains/settings/schemas'
import { unfreezeSite } from '@/lib/domains/settings/unfreeze-site'
import { action } from '@/lib/kernel/action'

export const freeze = action(FreezeSite, 'admin', async (ctx, input) => {
  await freezeSite(ctx, input)
  revalidatePath('/', 'layout')
})

export const unfreeze = action(UnfreezeSite, 'admin', async (ctx, input) => {
  await unfreezeSite(ctx, input)
  revalidatePath('/', 'layout')
})
