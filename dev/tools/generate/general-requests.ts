/** What no single endpoint answers, or every one: the rest of the `.http` files comes from the scenarios. */
export const generalRequests = `# Generated from test/endpoints: npm run generate
@host = http://localhost:7071
# Takes an access token that was issued more than 30 minutes ago
@expiredToken = paste-it-here

### No token
# expect 401 authentication_required
GET {{host}}/api/auth/me

### A token that was never issued
# expect 401 token_invalid
GET {{host}}/api/auth/me
Authorization: Bearer made.up.token

### An expired token: time to refresh
# expect 401 token_expired
GET {{host}}/api/auth/me
Authorization: Bearer {{expiredToken}}

### Not JSON
# expect 400 malformed_json
POST {{host}}/api/auth/login
Content-Type: application/json

{ "email": "patient@dermagate.example",

### JSON under another name
# expect 415 unsupported_media_type
POST {{host}}/api/auth/login
Content-Type: text/plain

{ "email": "patient@dermagate.example", "password": "demo-patient-pass" }

### An address that does not exist
# expect 404 not_found
GET {{host}}/api/patients

### A method that an address does not answer: \`Allow\` lists those that it does
# expect 405 method_not_allowed
DELETE {{host}}/api/auth/me
`;
