/* validate.mjs FILE - is this description of an interface what the official schema of OpenAPI 3.1 says it has to be? */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

const validator = new Validator();
const result = await validator.validate(JSON.parse(readFileSync(process.argv[2], 'utf8')));

if (validator.version !== '3.1' || !result.valid) {
    console.error(validator.version, JSON.stringify(result.errors, null, 2));
    process.exit(1);
}
console.log('valid by the schema of OpenAPI 3.1');
