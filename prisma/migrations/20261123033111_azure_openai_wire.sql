-- AlterEnum
ALTER TYPE "Wire" ADD VALUE 'azure-openai';
